import { createContext, use } from 'react';

/** Whether an event has come whose reads have not begun yet (API-14). */
export const NewsContext = createContext(false);

export const useHasNews = () => use(NewsContext);
