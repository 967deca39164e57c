import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { useAuth } from './AuthProvider.tsx';
import { useLoading } from './LoadingProvider.tsx';

function AsksForAuth() {
  useAuth();
  return null;
}
function AsksForLoading() {
  useLoading();
  return null;
}

it.each([
  ['useAuth', <AsksForAuth key="" />, 'useAuth must be used within an AuthProvider'],
  ['useLoading', <AsksForLoading key="" />, 'useLoading must be used within a LoadingProvider'],
])('%s throws outside its provider', (_name, misuse, message) => {
  expect(() => renderToString(misuse)).toThrow(message);
});
