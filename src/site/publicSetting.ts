import { chosenLocale, hasChosenLocale, type Locale } from '../../i18n/locales.ts'
import { fieldsIn } from '../schemas/define/values.ts'
import { earlyReply, fetchReply } from '../session/earlyReplies.ts'
import { runCustomCode } from './customCode.ts'

/** The settings that are public, for people who are not signed in. */
export interface PublicSetting {
  name?: string
  language?: string
  /** Names of the OAuth2 providers. */
  providers: readonly string[]
  /** Whether a sign-in may begin with a passkey. */
  passkeys?: boolean
  /** Whether the password form is behind a button where there are providers. */
  hidesPassword?: boolean
}

/** What the sign-in form shows first. */
type SignInForm = Pick<PublicSetting, 'providers' | 'hidesPassword'>

/** Reads the public settings; empty if that fails. Cookies of an ended session have to be removed before. */
export async function readPublicSetting(): Promise<PublicSetting> {
  try {
    const { text } = await (earlyReply('setting') ?? fetchReply('setting'))
    const { data } = fieldsIn(JSON.parse(text))
    const { config: given, wheelhouse } = fieldsIn(data)
    const { site_name: name, language, custom_code_dashboard: code, oauth2_providers, ...config } = fieldsIn(given)
    if (data) runCustomCode(typeof code === 'string' ? code : undefined)
    const form = data
      ? { providers: textsIn(oauth2_providers), hidesPassword: config.hide_password_form === true }
      : rememberedForm()
    rememberForm(form)
    return {
      ...form,
      passkeys: fieldsIn(wheelhouse).passkeys === true && window.isSecureContext && 'PublicKeyCredential' in window,
      name: typeof name === 'string' && name !== '' ? name : undefined,
      language: typeof language === 'string' ? language : undefined,
    }
  } catch {
    // The form works without them: it has a default title, and signing in reports problems of the server.
    return rememberedForm()
  }
}

const formKey = 'wheelhouse.providers'

/** Saves it for the next start, so that the form does not change while it is used. */
function rememberForm(form: SignInForm): void {
  try {
    if (form.providers.length > 0) localStorage.setItem(formKey, JSON.stringify(form))
    else localStorage.removeItem(formKey)
  } catch {
    // Without localStorage the form changes a moment later.
  }
}

/** The form at the last visit. */
export function rememberedForm(): SignInForm {
  try {
    const { providers, hidesPassword } = JSON.parse(localStorage.getItem(formKey) ?? '{}')
    return { providers: textsIn(providers), hidesPassword }
  } catch {
    return { providers: [] }
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
