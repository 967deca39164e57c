import { config } from 'zod';

// The page's policy allows no eval (P32). Import this before any schema.
config({ jitless: true });
