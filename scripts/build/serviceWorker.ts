import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { HtmlTagDescriptor, InlineConfig } from 'vite'
import { defaultLocale, locales } from '../../i18n/locales.ts'
import { colours, tokenStyles } from '../../src/components/theme/tokens.ts'
import { neutralName, webManifest, webManifestPath } from '../../src/domain/app/webManifest.ts'
import { consolePath } from '../../src/schemas/consolePath.ts'

/** What makes an app of the console, in its page: the link to the manifest, the icon of iPhones, the colour of the bar. */
export const appTags = (): HtmlTagDescriptor[] => [
  { tag: 'link', attrs: { rel: 'manifest', href: webManifestPath }, injectTo: 'head' },
  // Without it, iPhones paint what is transparent in an icon of the manifest black.
  {
    tag: 'link',
    attrs: { rel: 'apple-touch-icon', href: `${consolePath}/icons/maskable-192.png` },
    injectTo: 'head',
  },
  ...(['light', 'dark'] as const).map((scheme) => ({
    tag: 'meta',
    attrs: { name: 'theme-color', media: `(prefers-color-scheme: ${scheme})`, content: colours[scheme].surface },
    injectTo: 'head' as const,
  })),
]

/** The manifest of the app as a file, for servers that do not write one themselves. */
export function appManifest(): { fileName: string; source: string } {
  const manifest = webManifest({ name: neutralName, lang: defaultLocale, shortcuts: [] })
  return { fileName: webManifestPath.slice(consolePath.length + 1), source: JSON.stringify(manifest) }
}

/** The build of the service worker: one file among those of the console, with the page for when no server answers. */
export function serviceWorkerBuild(outDir: string): InlineConfig {
  const { page, policy } = offlinePage()
  return {
    define: { __OFFLINE_PAGE__: JSON.stringify(page), __OFFLINE_POLICY__: JSON.stringify(policy) },
    build: {
      outDir,
      emptyOutDir: false,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: 'src/serviceWorker/main.ts',
        output: { format: 'iife', entryFileNames: 'service-worker.js' },
      },
    },
  }
}

/** What the page says, in one language. */
interface OfflineTexts {
  site: string
  unreachable: string
  retry: string
}

function textsOf(locale: string): OfflineTexts {
  const file = resolve(import.meta.dirname, `../../i18n/${locale}/login.json`)
  const { site, unreachable, retry }: OfflineTexts = JSON.parse(readFileSync(file, 'utf8'))
  return { site, unreachable, retry }
}

/** The page of the service worker for when the server cannot be reached, whole in itself, and the policy for it. */
function offlinePage(): { page: string; policy: string } {
  const texts = Object.fromEntries(locales.map(({ locale }) => [locale, textsOf(locale)]))
  const script = `(${fillIn})(${JSON.stringify(texts)},${JSON.stringify(defaultLocale)})`
  const hash = createHash('sha256').update(script).digest('base64')
  const page = `<!doctype html>
<html lang="${defaultLocale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${neutralName}</title>
<style>${tokenStyles()}
${styles}</style>
</head>
<body>
<main>
<h1></h1>
<p role="alert"></p>
<button type="button"></button>
</main>
<script>${script}</script>
</body>
</html>
`
  return {
    page,
    policy: `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'`,
  }
}

const styles = `*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:16px;background:var(--wh-background);color:var(--wh-text);font:14px/1.5 var(--wh-sans)}
main{width:100%;max-width:360px;padding:24px;border:1px solid var(--wh-border);border-radius:var(--wh-radius);background:var(--wh-surface);text-align:center}
h1{margin:0 0 8px;font-size:20px;line-height:1.4}
p{margin:0 0 16px;color:var(--wh-secondary)}
button{width:100%;min-height:44px;border:0;border-radius:var(--wh-radius);background:var(--wh-primary);color:var(--wh-on-primary);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--wh-primary-strong)}
:focus-visible{outline:2px solid var(--wh-primary);outline-offset:2px}`

/** Runs in the page, where nothing of this module is known. The names of the storage are those of `src`. */
function fillIn(texts: Record<string, OfflineTexts>, usual: string): void {
  const retryMs = 10_000
  let [chosen, theme]: (string | undefined)[] = []
  try {
    chosen = localStorage['wheelhouse.locale'] ?? localStorage['wheelhouse.site-language']
    theme = localStorage['wheelhouse.theme']
  } catch {
    // Without local storage they are those of the browser.
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  const language = (chosen ?? navigator.language).toLowerCase()
  const codes = Object.keys(texts)
  const locale =
    codes.find((code) => code.toLowerCase() === language) ??
    codes.find((code) => code.split('-')[0] === language.split('-')[0]) ??
    usual
  const own = texts[locale]
  const [heading, text, button] = ['h1', 'p', 'button'].map((name) => document.querySelector(name))
  if (!own || !heading || !text || !button) return
  document.documentElement.lang = locale
  document.title = own.site
  heading.textContent = own.site
  text.textContent = own.unreachable
  button.textContent = own.retry
  const reload = () => location.reload()
  button.addEventListener('click', reload)
  addEventListener('online', reload)
  // The network may be there and the server not, of which no event tells.
  setInterval(() => {
    if (!document.hidden) fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(reload, () => {})
  }, retryMs)
}
