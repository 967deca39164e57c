import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { Avatar } from './Avatar.tsx';
import { Jersey } from './Jersey.tsx';

function read(markup: string) {
  return {
    label: /aria-label="([^"]*)"/.exec(markup)?.[1],
    text: markup.replace(/<[^>]*>/g, ''),
  };
}

describe('Avatar', () => {
  const jersey = { username: 'Maya_Banks', color: '#DC8438', number: '07' };

  it.each([
    ['a jersey with the upper-cased name', jersey, 'Jersey 07, MAYA_BANKS', 'MAYA_BANKS'],
    [
      'a jersey with a zero before a one-digit number',
      { ...jersey, number: '7' },
      'Jersey 07, MAYA_BANKS',
      'MAYA_BANKS',
    ],
    ['a letter without a colour', { ...jersey, color: null }, 'M', 'M'],
    ['a letter without a number', { ...jersey, number: '' }, 'M', 'M'],
    ['a letter for an invalid colour', { ...jersey, color: 'teal' }, 'M', 'M'],
    ['a blank without a name', { ...jersey, username: '' }, 'No avatar yet', ''],
    ['a blank without anything', {}, 'No avatar yet', ''],
  ])('is %s', (_, player, label, text) => {
    expect(read(renderToStaticMarkup(<Avatar {...player} />))).toEqual({ label, text });
  });
});

describe('Jersey', () => {
  it('hides a name that is too small to read, but still announces the name', () => {
    const markup = renderToStaticMarkup(<Jersey username="Jo" color="#377AD3" number="00" small />);
    expect(read(markup)).toEqual({ label: 'Jersey 00, JO', text: '' });
  });

  it('announces only the number while there is no name', () => {
    const markup = renderToStaticMarkup(<Jersey username="" color="#377AD3" number="42" />);
    expect(read(markup)).toEqual({ label: 'Jersey 42', text: '' });
  });

  it('computes ink and trim from the colour of the body', () => {
    const markup = renderToStaticMarkup(<Jersey username="Jo" color="#377AD3" number="00" />);
    expect(markup).toContain('--jersey-body:#377AD3;--jersey-ink:#FFFFFF;--jersey-trim:#28599C');
  });
});
