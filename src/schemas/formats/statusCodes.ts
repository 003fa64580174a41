/** Codes from the first to the last of a range, both included. */
export type CodeRange = readonly [from: number, to: number]

/**
 * Reads codes of HTTP such as `200-299,401`.
 * @returns `undefined` for a text that has anything else; none for an empty one
 */
export function parseCodes(text: string): CodeRange[] | undefined {
  if (text.trim() === '') return []
  const ranges: CodeRange[] = []
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{3})\s*(?:-\s*(\d{3})\s*)?$/.exec(part) ?? []
    if (from === undefined || Number(to) < Number(from)) return undefined
    ranges.push([Number(from), Number(to)])
  }
  return ranges
}
