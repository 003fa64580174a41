import { createRoot } from 'react-dom/client'
import { loadSignInTexts } from '../i18n/signInTexts.ts'
import { tokenStyles } from './components/theme/tokens.ts'
import { Login } from './custom/login/Login.tsx'
import { ConsoleNotLoaded, ServerNotReached } from './custom/login/LoginFailures.tsx'
import { readSessionStatus } from './custom/login/signIn.ts'
import { afterPaint } from './events/afterPaint.ts'
import { afterEarlyScreen } from './events/earlyScreen.ts'
import { whenIdle } from './events/whenIdle.ts'
import { type CurrentUser, lastUserId } from './session/currentUser.ts'
import { dropEarlyReplies, fetchEarly } from './session/earlyReplies.ts'
import { clearUserData, startSession } from './session/sessionGate.ts'
import {
  addressAfterSignIn,
  isDoctorPath,
  isLoginPath,
  isStartPath,
  isTerminalPath,
  loginAddressFor,
} from './session/signInAddress.ts'
import { clearSessionCookies, hasSession } from './session/token.ts'
import { reloadAfterUpdates } from './site/newBuild.ts'
import { hasRememberedLanguage, initialLocale, readPublicSetting, rememberLanguage } from './site/publicSetting.ts'

/**
 * The page's small entry. Without a session the sign-in form stands at once, and the console is fetched behind it;
 * after a good sign-in the console takes the form's place without a reload. With a session it starts directly, once
 * the server has said whose it is.
 */
reloadAfterUpdates()

const sheet = new CSSStyleSheet()
sheet.replaceSync(tokenStyles())
document.adoptedStyleSheets.push(sheet)

const root = createRoot(document.getElementById('root') as HTMLElement, {
  // After an error that no error page caught, React has removed everything from the page.
  onUncaughtError(error) {
    reportError(error)
    root.render(<ConsoleNotLoaded />)
  },
})

/** The texts of the pages without the console's translator; they are in English where these cannot be fetched. */
const textsLoaded = loadSignInTexts(initialLocale()).catch(console.warn)

/** The console and its translator: in files of their own, which nobody needs before signing in. */
const fetchConsole = () => Promise.all([import('./app/App.tsx'), import('../i18n/index.ts')])

/** Asks whose session this is, before any call of a public route, and opens the console for them. */
async function enter(): Promise<void> {
  dropEarlyReplies()
  fetchEarly('profile')
  if (isStartPath(window.location.pathname)) fetchEarly('server')
  const isTerminal = isTerminalPath(window.location.pathname)
  // The page imports it as well, and says so when that fails.
  if (isTerminal) import('./custom/terminal/session/startShell.ts').catch(() => {})
  const loading = isTerminal ? afterEarlyScreen().then(fetchConsole) : fetchConsole()
  // A failure is handled where `loading` is awaited.
  loading.catch(() => {})
  const status = await readSessionStatus()
  if (status.kind === 'signedIn') return showConsole(status.person, loading)
  await textsLoaded
  if (status.kind !== 'unauthorized') return root.render(<ServerNotReached why={status} onRetry={enter} />)
  dropEarlyReplies()
  clearSessionCookies()
  clearUserData()
  await showLogin(true)
}

/** Shows the console, or an error page if its code cannot be fetched; without its texts it is shown in English. */
async function showConsole(person: CurrentUser, loading = fetchConsole()): Promise<void> {
  if (isLoginPath(window.location.pathname)) {
    window.history.replaceState(null, '', addressAfterSignIn(window.location.search))
  }
  if (lastUserId() !== person.id) clearUserData()
  startSession(person)
  fetchData()
  try {
    const [[{ default: App, prepareFirstDrawing }, { createI18nProvider }]] = await Promise.all([
      loading,
      learnLanguage(),
    ])
    const i18nProvider = await createI18nProvider(initialLocale())
    await prepareFirstDrawing(i18nProvider)
    root.render(<App i18nProvider={i18nProvider} person={person} />)
  } catch (cause) {
    console.error(cause)
    root.render(<ConsoleNotLoaded />)
  }
}

/** Asks for what every start needs, and the start page besides, while the console is still on its way. */
function fetchData(): void {
  fetchEarly('setting')
  if (!isStartPath(window.location.pathname)) return
  fetchEarly('server')
  fetchEarly('server-group')
}

/** A browser that has never shown the sign-in form of this site has to ask for the site's language. */
async function learnLanguage(): Promise<void> {
  if (hasRememberedLanguage()) return
  const { language } = await readPublicSetting()
  if (language) rememberLanguage(language)
}

async function showLogin(hasEnded = false): Promise<void> {
  await textsLoaded
  if (!isLoginPath(window.location.pathname))
    window.history.replaceState(null, '', loginAddressFor(window.location, hasEnded))
  root.render(<Login onSignedIn={(person) => (person ? showConsole(person) : enter())} />)
  // A prefetch that fails costs nothing: signing in asks again, and says so if that fails too. It waits for the frame that
  // shows the form, before which the browser may be idle as well.
  const prefetch = () => void fetchConsole().catch(() => {})
  afterPaint(() => whenIdle(prefetch))
}

/** The connection check works without the console and without a session. */
async function showDoctor(): Promise<void> {
  try {
    const [{ openDoctor }] = await Promise.all([import('./custom/doctor/DoctorPage.tsx'), textsLoaded])
    await openDoctor(root)
  } catch (cause) {
    console.error(cause)
    root.render(<ConsoleNotLoaded />)
  }
}

if (isDoctorPath(window.location.pathname)) void showDoctor()
else if (isLoginPath(window.location.pathname) || !hasSession()) void showLogin()
else void enter()
