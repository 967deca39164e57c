import { expect, test } from 'vitest';
import { codeText } from './accounts.ts';

test('ACC-71: the code of a mail can be typed in the digits of any script', () => {
  for (const typed of ['482913', '４８２９１３', '٤٨٢٩١٣', '४८२९१३', '4８٢9१3'])
    expect(codeText.parse(typed)).toBe('482913');
  for (const typed of ['４８２９１', '48291३७', 'ⅳ82913', ' 482913'])
    expect(codeText.safeParse(typed).success).toBe(false);
});
