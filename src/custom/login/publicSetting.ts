import { chosenLocale, hasChosenLocale, type Locale } from '../../../i18n/locales.ts'
import { runCustomCode } from '../../site/customCode.ts'

/** The settings that are public, for people who are not signed in. */
export interface PublicSetting {
  name?: string
  language?: string
  /** Names of the OAuth2 providers. */
  providers: readonly string[]
  /** Whether a sign-in may begin with a passkey. */
  passkeys?: boolean
}

/** Reads the public settings; empty if that fails. Cookies of an ended session have to be removed before. */
export async function readPublicSetting(): Promise<PublicSetting> {
  try {
    const reply = await fetch('/api/v1/setting', { credentials: 'same-origin' })
    const { data } = (await reply.json()) as {
      data?: { config?: Record<string, unknown>; wheelhouse?: { passkeys?: unknown } }
    }
    const { site_name: name, language, custom_code_dashboard: code, oauth2_providers } = data?.config ?? {}
    if (data) runCustomCode(typeof code === 'string' ? code : undefined)
    const providers = data ? textsIn(oauth2_providers) : rememberedProviders()
    rememberProviders(providers)
    return {
      providers,
      passkeys: data?.wheelhouse?.passkeys === true && window.isSecureContext && 'PublicKeyCredential' in window,
      name: typeof name === 'string' && name !== '' ? name : undefined,
      language: typeof language === 'string' ? language : undefined,
    }
  } catch {
    // The form works without them: it has a default title, and signing in reports problems of the server.
    return { providers: rememberedProviders() }
  }
}

const providersKey = 'wheelhouse.providers'

/** Saves the names for the next start, so that the form does not change while it is used. */
function rememberProviders(names: readonly string[]): void {
  try {
    if (names.length > 0) localStorage.setItem(providersKey, JSON.stringify(names))
    else localStorage.removeItem(providersKey)
  } catch {
    // Without localStorage the form shows them a moment later.
  }
}

/** The providers at the last visit. */
export function rememberedProviders(): readonly string[] {
  try {
    return textsIn(JSON.parse(localStorage.getItem(providersKey) ?? '[]'))
  } catch {
    return []
  }
}

const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const storageKey = 'wheelhouse.site-language'

/** Saves the site's language for the next start, which needs it before the settings are read. */
export function rememberLanguage(language: string): void {
  try {
    localStorage.setItem(storageKey, language)
  } catch {
    // Without localStorage the page starts in English and changes a moment later.
  }
}

/** Whether the language of the start is known without asking the server. */
export function hasRememberedLanguage(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null || hasChosenLocale()
  } catch {
    return false
  }
}

/** The language of the start: the one chosen in this browser, else the site's at the last visit, else English. */
export function initialLocale(): Locale {
  try {
    return chosenLocale(localStorage.getItem(storageKey) ?? undefined)
  } catch {
    return chosenLocale()
  }
}
