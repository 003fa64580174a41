import type { TextTree } from './text.ts'

/** Lays one tree of texts over another: where the upper one has no text, or an empty one, the lower one is used. */
export function mergeTexts(lower: TextTree, upper: TextTree): TextTree {
  const merged: Record<string, string | TextTree> = { ...lower }
  for (const [key, text] of Object.entries(upper)) {
    const below = lower[key]
    if (typeof text === 'string') merged[key] = text === '' && below !== undefined ? below : text
    else merged[key] = mergeTexts(typeof below === 'object' ? below : {}, text)
  }
  return merged
}
