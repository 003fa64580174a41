import './print.css'
import { colours } from '../components/theme/tokens.ts'
import { registerServiceWorker } from '../site/serviceWorker.ts'

/** What nobody needs before the first screen is drawn, and which would only delay that. */
export default function afterFirstScreen(): void {
  followPrinting()
  followTheme()
  void registerServiceWorker()
}

/** Gives the bar above an installed app the colour of the header, in the theme that was chosen in this browser. */
function followTheme(): void {
  const page = document.documentElement
  const follow = () => {
    const { surface } = colours[page.dataset.theme === 'dark' ? 'dark' : 'light']
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) meta.content = surface
  }
  follow()
  new MutationObserver(follow).observe(page, { attributeFilter: ['data-theme'] })
}

/**
 * Shows the light theme while the page is printed: nobody wants a dark sheet of paper. Charts follow, because they are
 * painted in the colours of the page's attribute. Loaded after the first screen, as nobody prints sooner.
 */
function followPrinting(): void {
  const { dataset } = document.documentElement
  let before: string | undefined
  const begin = () => {
    before ??= dataset.theme
    dataset.theme = 'light'
  }
  const end = () => {
    if (before) dataset.theme = before
    before = undefined
  }
  addEventListener('beforeprint', begin)
  addEventListener('afterprint', end)
  // A preview of the printed page, as in a browser's tools.
  const print = matchMedia('print')
  print.addEventListener('change', ({ matches }) => (matches ? begin() : end()))
  if (print.matches) begin()
}
