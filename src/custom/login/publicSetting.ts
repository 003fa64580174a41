import { chosenLocale, hasChosenLocale, type Locale } from '../../../i18n/locales.ts'
import { runCustomCode } from '../../site/customCode.ts'

/** What the site says about itself to people who are not signed in. */
export interface PublicSetting {
  name?: string
  language?: string
  /** Where people can sign in beside here. */
  providers: readonly string[]
}

/** Reads the public settings; empty when they cannot be had. Leftovers of a session have to be gone before. */
export async function readPublicSetting(): Promise<PublicSetting> {
  try {
    const reply = await fetch('/api/v1/setting', { credentials: 'same-origin' })
    const { data } = (await reply.json()) as { data?: { config?: Record<string, unknown> } }
    const { site_name: name, language, custom_code_dashboard: code, oauth2_providers } = data?.config ?? {}
    if (data) runCustomCode(typeof code === 'string' ? code : undefined)
    const providers = data ? textsIn(oauth2_providers) : rememberedProviders()
    rememberProviders(providers)
    return {
      providers,
      name: typeof name === 'string' && name !== '' ? name : undefined,
      language: typeof language === 'string' ? language : undefined,
    }
  } catch {
    // The form works without: it has a name of its own, and signing in says what is wrong with the server.
    return { providers: rememberedProviders() }
  }
}

const providersKey = 'wheelhouse.providers'

/** Keeps the names for the next start, whose form should not change under people's hands. */
function rememberProviders(names: readonly string[]): void {
  try {
    if (names.length > 0) localStorage.setItem(providersKey, JSON.stringify(names))
    else localStorage.removeItem(providersKey)
  } catch {
    // Without a store the form learns of them a moment later.
  }
}

/** The providers as they were last known. */
export function rememberedProviders(): readonly string[] {
  try {
    return textsIn(JSON.parse(localStorage.getItem(providersKey) ?? '[]'))
  } catch {
    return []
  }
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const storageKey = 'wheelhouse.site-language'

/** Keeps the site's language for the next start, which has to speak before the settings are read. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // A browser without a store starts in English and follows the site a moment later.
  }
}

/** Whether a start can speak the right language without asking the server. */
export function hasRememberedLanguage(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null || hasChosenLocale()
  } catch {
    return false
  }
}

/** The language to start in: this browser's choice, else the site's as it was last known, else English. */
export function initialLocale(): Locale {
  try {
    return chosenLocale(localStorage.getItem(storageKey) ?? undefined)
  } catch {
    return chosenLocale()
  }
}
