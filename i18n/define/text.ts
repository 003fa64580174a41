/** One text in every language. */
export interface Text {
  readonly en: string
  readonly it: string
  readonly zhCN: string
  readonly zhTW: string
  readonly de: string
}

export type Language = keyof Text
