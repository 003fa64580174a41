/** Text in which everything is escaped that has to be. */
export type Html = string

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as it stands in HTML, in attributes too. */
export const escapeHtml = (text: string): Html => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

/** @param content as HTML @example element('p', { class: 'quiet' }, escapeHtml(name)) */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: Html | readonly Html[],
): Html {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
  return `<${name}${list.join('')}>${[content].flat().join('\n')}</${name}>`
}
