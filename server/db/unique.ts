import { DatabaseError } from 'pg';

/**
 * For the `catch` of a statement: throws `refusal` if the row violates the unique index `index`,
 * otherwise the error. A check before the statement would miss a concurrent insert.
 */
export function refuseDuplicate(index: string, refusal: Error): (error: unknown) => never {
  return (error) => {
    throw error instanceof DatabaseError && error.constraint === index ? refusal : error;
  };
}
