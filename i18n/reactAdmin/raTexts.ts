import type { TranslationMessages } from 'ra-core'

/** Same keys all the way down, every leaf a text. */
type SameShape<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameShape<T[K]> }

/** React-admin's message types allow any further key; without that index signature a misspelt one does not compile. */
type Declared<T> = {
  [K in keyof T as string extends K ? never : K]: NonNullable<T[K]> extends string
    ? string
    : Declared<NonNullable<T[K]>>
}

/** React-admin's own words, key by key. */
export type RaTexts = SameShape<Declared<TranslationMessages['ra']>>
