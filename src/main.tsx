import { createRoot } from 'react-dom/client'
import { tokenStyles } from './custom/layout/tokens.ts'
import { isLogin, loginFor, nextAddress } from './custom/login/address.ts'
import { Login } from './custom/login/Login.tsx'
import { NotLoaded } from './custom/login/NotLoaded.tsx'
import { holdsSession } from './custom/login/session.ts'
import { startLocale } from './custom/login/site.ts'

/**
 * The page's small entry. Without a session the sign-in form stands at once, and the console is fetched behind it;
 * after a good sign-in the console takes the form's place without a reload. With a session it starts directly.
 */
const sheet = new CSSStyleSheet()
sheet.replaceSync(tokenStyles())
document.adoptedStyleSheets.push(sheet)

const root = createRoot(document.getElementById('root') as HTMLElement)

/** The console and its translator: in files of their own, which nobody needs before signing in. */
const fetchConsole = () => Promise.all([import('./App.tsx'), import('../i18n/index.ts')])

/** Puts the console on the page, or the way to it when it cannot be fetched; texts that cannot leave it in English. */
async function showConsole(): Promise<void> {
  if (isLogin(window.location.pathname)) {
    window.history.replaceState(null, '', nextAddress(window.location.search))
  }
  try {
    const [{ default: App }, { createI18nProvider }] = await fetchConsole()
    const i18nProvider = await createI18nProvider(startLocale())
    root.render(<App i18nProvider={i18nProvider} />)
  } catch (cause) {
    console.error(cause)
    root.render(<NotLoaded />)
  }
}

function showLogin() {
  if (!isLogin(window.location.pathname)) window.history.replaceState(null, '', loginFor(window.location))
  root.render(<Login onSignedIn={showConsole} />)
  const whenIdle = window.requestIdleCallback ?? ((callback: () => void) => setTimeout(callback, 200))
  // A prefetch that fails costs nothing: signing in asks again, and says so if that fails too.
  whenIdle(() => fetchConsole().catch(() => {}))
}

if (isLogin(window.location.pathname) || !holdsSession()) showLogin()
else void showConsole()
