import type { Plugin, Rolldown } from 'vite'
import { defaultLocale, locales } from '../../i18n/locales.ts'
import { earlyScreenPainted, maxConsoleDelayMs } from '../../src/events/earlyScreen.ts'
import { consolePath } from '../../src/schemas/consolePath.ts'
import type { ReadReply } from '../../src/session/earlyReplies.ts'
import { chunkOf, chunksIn, filesLoaded } from './chunkGroups.ts'

/** What people with a session need beside the entry, by module. */
const consoleModules = ['src/app/App.tsx', 'i18n/index.ts']
/**
 * What a page shows before the console is there, by the beginning of the page's address: the other files are asked for
 * when it has been painted.
 */
const earlyModules = {
  [`${consolePath}/terminal/`]: [
    'src/custom/terminal/session/startShell.ts',
    'src/custom/terminal/screen/earlyScreen.ts',
  ],
}
/** Pages that are large enough to be asked for with it, by the beginning of their address. */
const pageModules = {
  [`${consolePath}/terminal/`]: 'src/custom/terminal/TerminalPage.tsx',
  [`${consolePath}/profile`]: 'src/custom/profile/ProfilePage.tsx',
  [`${consolePath}/settings`]: 'src/custom/settings/SettingsPage.tsx',
}
/** Each language is a file of its own; English for the first list is in the console. */
const textModules = locales.map(({ locale }) => [locale, `i18n/${locale}/texts.ts`] as const)

/** Addresses of scripts and styles. */
interface PreloadedFiles {
  /** By the beginning of the page's address, as `pages`. */
  early: Record<string, string[]>
  console: string[]
  /** By the beginning of the page's address. */
  pages: Record<string, string[]>
  /** By language. The first list needs none of the default language. */
  texts: Record<string, string[]>
}

/** What the script in the page is given. */
interface PreloadOptions extends PreloadedFiles {
  /** The event of the window after which the console is asked for where `early` files are. */
  painted: string
  /** Milliseconds after the navigation, when it is asked for in any case. */
  maxDelayMs: number
  defaultLocale: string
}

/**
 * A vite plugin: when the browser has a session, the page asks for the console's files together with those of its entry,
 * for who is signed in, and on the start page for the servers, and not only once the entry runs. It is a script in the
 * page, so that it works with any server that serves the files, and the policy for scripts allows it by its hash.
 */
export function preloadConsole(): Plugin {
  let base = ''
  return {
    name: 'wheelhouse:preload-console',
    apply: 'build',
    configResolved(config) {
      base = config.base
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) =>
        // Behind a style the script would wait for it.
        html.replace(
          /(?= *<link rel="stylesheet")/,
          `    <script>(${preload})(${JSON.stringify(optionsFor(bundle, base))})</script>\n`,
        ),
    },
  }
}

const optionsFor = (bundle: Rolldown.OutputBundle, base: string): PreloadOptions => ({
  ...filesIn(bundle, base),
  painted: earlyScreenPainted,
  maxDelayMs: maxConsoleDelayMs,
  defaultLocale,
})

function filesIn(bundle: Rolldown.OutputBundle, base: string): PreloadedFiles {
  const chunks = chunksIn(Object.values(bundle))
  const filesOf = (modules: readonly string[]) =>
    filesLoaded(
      modules.map((path) => chunkOf(path, chunks)),
      chunks,
    )
  const inEntry = filesLoaded(
    [...chunks.values()].filter(({ isEntry }) => isEntry),
    chunks,
  )
  const inConsole = new Set([...inEntry, ...filesOf(consoleModules)])
  const addresses = (files: ReadonlySet<string>, without: ReadonlySet<string>) => {
    const added = [...files].filter((file) => !without.has(file))
    const styles = added.flatMap((file) => [...(chunks.get(file)?.viteMetadata?.importedCss ?? [])])
    return [...added, ...styles].map((file) => base + file)
  }
  const added = (path: string) => addresses(filesOf([path]), inConsole)
  const early = Object.entries(earlyModules).map(([start, paths]) => [start, addresses(filesOf(paths), inEntry)])
  return {
    early: Object.fromEntries(early),
    console: addresses(inConsole, inEntry),
    pages: Object.fromEntries(Object.entries(pageModules).map(([start, path]) => [start, added(path)])),
    texts: Object.fromEntries(textModules.map(([locale, path]) => [locale, added(path)])),
  }
}

/** Runs in the page, where nothing of this module is known. The names of cookie and storage are those of `src`. */
function preload({ early, console, pages, texts, painted, maxDelayMs, defaultLocale }: PreloadOptions): void {
  const path = location.pathname
  if (!/(^|; )nz-jwt=[^;]/.test(document.cookie) || /^\/dashboard\/(login|doctor)\/?$/.test(path)) return
  // Protected routes: a session that has ended is no attack there. `src/session/earlyReplies.ts` takes the replies.
  const replies: Record<string, Promise<ReadReply>> = {}
  const isStart = /^\/dashboard\/*$/.test(path)
  for (const asked of isStart ? ['profile', 'server'] : ['profile']) {
    const reply = fetch(`/api/v1/${asked}`, { headers: { Accept: 'application/json' } }).then(async (response) => ({
      response,
      text: await response.text(),
    }))
    // A failure is handled where the reply is taken.
    reply.catch(() => {})
    replies[asked] = reply
  }
  window.earlyReplies = replies
  const files = [...console]
  for (const start in pages) if (path.startsWith(start)) files.push(...(pages[start] ?? []))
  try {
    const { 'wheelhouse.locale': chosen, 'wheelhouse.site-language': usual } = localStorage
    const locale = (chosen ?? usual) in texts ? (chosen ?? usual) : defaultLocale
    if (!isStart || locale !== defaultLocale) files.push(...(texts[locale] ?? []))
  } catch {
    // Without local storage the language is found out later.
  }
  const asked = new Set<string>()
  const ask = (hrefs: string[]) => {
    for (const href of hrefs) {
      if (asked.has(href)) continue
      asked.add(href)
      const isStyle = href.endsWith('.css')
      document.head.append(
        Object.assign(document.createElement('link'), {
          ...(isStyle ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }),
          crossOrigin: '',
          href,
        }),
      )
    }
  }
  for (const start in early) if (path.startsWith(start)) ask(early[start] ?? [])
  const askForRest = () => ask(files)
  if (asked.size === 0) {
    askForRest()
    return
  }
  // Compiling them takes the processor from what stands first.
  addEventListener(painted, askForRest, { once: true })
  setTimeout(askForRest, maxDelayMs - performance.now())
}
