/** One text in every language. */
export interface Text {
  readonly en: string
  readonly it: string
  readonly zhCN: string
  readonly zhTW: string
  readonly de: string
}

export type Language = keyof Text

/** A text whose English follows from its key where none is given: see `labelFromName`. */
export type Label = Omit<Text, 'en'> & Partial<Pick<Text, 'en'>>

/** Texts by key, nested at will. */
export interface Texts {
  readonly [key: string]: Text | Texts
}

/** Texts of one language by key, nested at will. */
export interface TextTree {
  readonly [key: string]: string | TextTree
}

/** The texts of one language. */
export function textsIn(language: Language, texts: Texts): TextTree {
  return Object.fromEntries(
    Object.entries(texts).map(([key, entry]) => [key, isText(entry) ? entry[language] : textsIn(language, entry)]),
  )
}

const isText = (entry: Text | Texts): entry is Text => typeof entry.en === 'string'
