/** Makes elements without parsing HTML, which P66 forbids. */

const SVG = 'http://www.w3.org/2000/svg';

type Child = Node | string | null;

function fill<E extends Element>(
  element: E,
  attributes: Record<string, string>,
  children: Child[],
) {
  for (const name of Object.keys(attributes))
    element.setAttribute(name, attributes[name] as string);
  for (const child of children) if (child !== null) element.append(child);
  return element;
}

/** An HTML element. `name` can have classes: `p.who.nobody`. */
export function h(
  name: string,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElement {
  const [tag = 'div', ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length > 0) element.className = classes.join(' ');
  return fill(element, attributes, children);
}

/** Makes an SVG element. */
export function s(
  name: string,
  attributes: Record<string, string> = {},
  ...children: Child[]
): SVGElement {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** A drawing from index.html. Screen readers skip it. */
export function art(id: string, viewBox: string, className = ''): SVGElement {
  return s(
    'svg',
    { class: className, viewBox, 'aria-hidden': 'true' },
    s('use', { href: `#${id}` }),
  );
}

/** Sets CSS variables by script: P66 forbids a `style` attribute. */
export function vars<E extends HTMLElement | SVGElement>(
  element: E,
  values: Record<string, string>,
): E {
  for (const name of Object.keys(values)) element.style.setProperty(name, values[name] as string);
  return element;
}
