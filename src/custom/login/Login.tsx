import { useEffect, useState } from 'react'
import { chooseLocale, chosenLocale } from '../../../i18n/locales.ts'
import { Mark } from '../layout/Mark.tsx'
import { reasonOf } from './address.ts'
import { Choices } from './Choices.tsx'
import { LoginForm } from './LoginForm.tsx'
import { stillSignedIn } from './session.ts'
import { readSite, rememberLanguage, startLocale } from './site.ts'
import { texts as allTexts } from './texts.ts'
import { followSystem } from './themeChoice.ts'
import './login.css'

/**
 * The sign-in page. It stands alone, without react-admin, MUI and zod, so that it is there at once.
 * @param onSignedIn puts the console, at the asked address, in the place of this page
 */
export function Login({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [locale, setLocale] = useState(startLocale)
  const [siteName, setSiteName] = useState<string>()
  const texts = allTexts[locale]
  const reason = reasonOf(window.location.search)
  const title = siteName ?? texts.site

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, as the page opens
  useEffect(() => {
    const begin = async () => {
      if (await stillSignedIn()) return onSignedIn()
      const site = await readSite()
      setSiteName(site.name)
      if (!site.language) return
      rememberLanguage(site.language)
      setLocale(chosenLocale(site.language))
    }
    void begin()
    return followSystem()
  }, [])

  useEffect(() => {
    document.documentElement.lang = locale
    document.title = `${texts.title} · ${title}`
  }, [locale, texts, title])

  return (
    <div className="login">
      <main className="login-card">
        <header>
          <Mark size={32} />
          <h1>{title}</h1>
        </header>
        {reason && (
          <p className="login-reason" role="status">
            {texts[reason]}
          </p>
        )}
        <LoginForm texts={texts} onSignedIn={onSignedIn} />
      </main>
      <Choices
        texts={texts}
        locale={locale}
        onLocale={(choice) => {
          chooseLocale(choice)
          setLocale(choice)
        }}
      />
    </div>
  )
}
