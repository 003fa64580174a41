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

/** What XML cannot hold, escaped or not, and what would break a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const notXml = /[\u0000-\u001f\u007f\ufffe\uffff]/g
const segmenter = new Intl.Segmenter()

/** Of one character as people count them: a family of four is eleven, and marks can be piled up without end. */
const maxCodeUnits = 16

/**
 * A name that somebody typed as text of one line, without what XML cannot hold; a longer one ends in "…".
 * @param max characters as people count them
 */
export function shortText(text: string, max: number): string {
  const line = text
    .slice(0, 2 * max * maxCodeUnits)
    .toWellFormed()
    .replaceAll(notXml, ' ')
    .trim()
  const characters: string[] = []
  let length = 0
  for (const { segment } of segmenter.segment(line)) {
    length += segment.length
    if (characters.length === max || length > max * maxCodeUnits) return `${characters.slice(0, max - 1).join('')}…`
    characters.push(segment)
  }
  return line
}

/** A text as it stands in XML: what XML cannot hold becomes a blank. */
export const escapeXml = (text: string): string => escapeHtml(text.toWellFormed().replaceAll(notXml, ' '))
