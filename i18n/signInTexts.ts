import type invitation from './en-US/invitation.json'
import type login from './en-US/login.json'
import type proof from './en-US/proof.json'
import english from './en-US/signIn.ts'
import { defaultLocale, type Locale } from './locales.ts'
import type { TextTree } from './mergeTexts.ts'

/** What signing in says, before and behind it: the forms are shown where the console's translator is not loaded. */
export interface SignInTexts {
  login: typeof login
  proof: typeof proof
  invitation: typeof invitation
}

/** By path: `./login.json`. */
type SignInFiles = Readonly<Record<string, TextTree>>

/** English comes with the page, other languages when they are spoken. */
const others = import.meta.glob<SignInFiles>(['./*/signIn.ts', '!./en-US/*'], { import: 'default' })

const byFile = (files: SignInFiles) =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [path.slice(2, -'.json'.length), texts]),
  ) as unknown as SignInTexts

const loaded = new Map<Locale, SignInTexts>([[defaultLocale, byFile(english)]])

/** Fetches the texts of a language, once. Rejects when they cannot be fetched. */
export async function loadSignInTexts(locale: Locale): Promise<void> {
  const files = loaded.has(locale) ? undefined : await others[`./${locale}/signIn.ts`]?.()
  if (files) loaded.set(locale, byFile(files))
}

/** The texts of a language that was loaded, else those of English. */
export const signInTexts = (locale: Locale): SignInTexts =>
  (loaded.get(locale) ?? loaded.get(defaultLocale)) as SignInTexts
