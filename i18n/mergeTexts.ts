/** Texts of one language by key, nested at will. */
export interface TextTree {
  readonly [key: string]: string | TextTree
}

/** Lays trees of texts over one another: where an upper one has no text, or an empty one, the lower one is used. */
export function mergeTexts(lowest: TextTree, ...others: readonly TextTree[]): TextTree {
  const merged: Record<string, string | TextTree> = { ...lowest }
  for (const upper of others) {
    for (const [key, text] of Object.entries(upper)) {
      const below = merged[key]
      if (typeof text === 'string') merged[key] = text === '' && below !== undefined ? below : text
      else merged[key] = mergeTexts(typeof below === 'object' ? below : {}, text)
    }
  }
  return merged
}
