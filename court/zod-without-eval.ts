import { config } from 'zod';

// P32 allows no eval. Import this before any schema.
config({ jitless: true });
