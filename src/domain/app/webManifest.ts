import { colours } from '../../components/theme/tokens.ts'
import { consolePath } from '../../schemas/consolePath.ts'

/** The address of the manifest by which browsers install the console as an app. */
export const webManifestPath = `${consolePath}/manifest.webmanifest`

/** Where other apps share text and files with the installed one; the service worker takes them. */
export const sharePath = `${consolePath}/share`

/** The name of the app where that of the site is not known. */
export const neutralName = 'Wheelhouse'

/** What the icon of the installed app offers. */
interface Shortcut {
  name: string
  /** Below `consolePath`; '' for the list of servers. */
  path: string
}

/** Drawn once after `public/favicon.svg`; those for masks have the wheel in their inner 80 %. */
const icons = [
  { src: `${consolePath}/icons/app-192.png`, sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: `${consolePath}/icons/app-512.png`, sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: `${consolePath}/icons/maskable-192.png`, sizes: '192x192', type: 'image/png', purpose: 'maskable' },
  { src: `${consolePath}/icons/maskable-512.png`, sizes: '512x512', type: 'image/png', purpose: 'maskable' },
] as const

/**
 * The manifest of the console. Its scope has no slash at the end, because the list of servers has none in its address.
 * Its colour is that of the light scheme, for the moment before the page has one of its own.
 */
export const webManifest = ({ name, lang, shortcuts }: { name: string; lang: string; shortcuts: Shortcut[] }) => ({
  id: consolePath,
  name,
  short_name: name,
  lang,
  start_url: consolePath,
  scope: consolePath,
  display: 'standalone',
  background_color: colours.light.background,
  theme_color: colours.light.surface,
  icons,
  // Text that other apps share is searched for; files are kept for an upload.
  share_target: {
    action: sharePath,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: 'shared_title',
      text: 'shared_text',
      url: 'shared_url',
      files: [{ name: 'shared_files', accept: ['*/*'] }],
    },
  },
  shortcuts: shortcuts.map((shortcut) => ({
    name: shortcut.name,
    url: `${consolePath}/${shortcut.path}`.replace(/\/$/, ''),
    icons: icons.slice(0, 1),
  })),
})
