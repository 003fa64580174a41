/** The colours of one scheme. All other colours of the console are derived from these. */
export interface Colours {
  /** The page. */
  background: string
  /** Cards, tables, menus and dialogs. */
  surface: string
  /** Table heads, code fields, hovered rows. */
  sunken: string
  /** Background of selected items. */
  marked: string
  /** Dividers; too faint to be the only border of a control. */
  border: string
  /** Borders of fields, switches and other controls: contrast 3:1 on every background. */
  control: string
  text: string
  secondary: string
  primary: string
  primaryStrong: string
  onPrimary: string
  good: string
  warning: string
  danger: string
  /** The empty part of a meter. */
  track: string
}

/** The two schemes, as in `<html data-theme>`. */
export type Scheme = 'light' | 'dark'

/** The palette. No other file defines colours; `tests/unit/custom/contrast.test.ts` measures their contrast. */
export const colours: Record<Scheme, Colours> = {
  light: {
    background: '#f8fafc',
    surface: '#ffffff',
    sunken: '#f1f5f9',
    marked: '#e6f4f1',
    border: '#e2e8f0',
    control: '#7c8aa0',
    text: '#0f172a',
    secondary: '#475569',
    primary: '#0f766e',
    primaryStrong: '#115e59',
    onPrimary: '#ffffff',
    good: '#15803d',
    warning: '#b45309',
    danger: '#b91c1c',
    track: '#e2e8f0',
  },
  dark: {
    background: '#0b1220',
    surface: '#111a2b',
    sunken: '#172238',
    marked: '#1b2d44',
    border: '#22304a',
    control: '#6b7d99',
    text: '#e2e8f0',
    secondary: '#94a3b8',
    primary: '#2dd4bf',
    primaryStrong: '#5eead4',
    onPrimary: '#042f2b',
    good: '#4ade80',
    warning: '#fbbf24',
    danger: '#f87171',
    track: '#26354f',
  },
}

/** Fonts that have the characters of Chinese, Japanese and Korean, as macOS, Windows and Linux name them. */
const cjk = {
  'zh-CN': '"PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC"',
  'zh-TW': '"PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC"',
  ja: '"Hiragino Sans", "Yu Gothic UI", Meiryo, "Noto Sans CJK JP"',
  ko: '"Apple SD Gothic Neo", "Malgun Gothic", "Noto Sans CJK KR"',
}

type CjkLanguage = keyof typeof cjk

/** The same character has another form in each of these languages: the fonts of the page's own come first. */
function stacks(language: CjkLanguage) {
  const fallback = [cjk[language], ...Object.values(cjk).filter((fonts) => fonts !== cjk[language])].join(', ')
  return {
    sans: `system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", ${fallback}, sans-serif`,
    mono: `ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", ${fallback}, monospace`,
  }
}

/**
 * System fonts, with fallbacks for Chinese, Japanese and Korean; no font is downloaded. For what is painted without
 * style sheets.
 */
export const fonts = stacks('zh-CN')

/** The same for style sheets, by the language of the page: variables of `tokenStyles`. */
export const fontVariables = { sans: 'var(--wh-sans)', mono: 'var(--wh-mono)' }

/** Sizes in pixels that several places share. */
export const sizes = {
  /** Below this width of the window the navigation is a drawer. */
  narrow: 890,
  header: 56,
  radius: 8,
}

/**
 * The height of the messages at the lower edge of the window, as a CSS variable: `name` is set by what shows them,
 * `value` is for styles of what has to end above them.
 */
export const messagesHeight = { name: '--messages-height', value: 'var(--messages-height, 0px)' }

/** The shadow of menus, dialogs and toasts; everything else has borders only. */
export const floatingShadow = '0 8px 24px rgb(2 6 16 / 0.18)'

/** The colours of a scheme as CSS variables: `--wh-text:#0f172a;`. */
const colourVariables = (scheme: Scheme): string =>
  Object.entries(colours[scheme])
    .map(([name, value]) => `--wh-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value};`)
    .join('')

const rootStyles = () => [
  `:root{--wh-sans:${fonts.sans};--wh-mono:${fonts.mono};--wh-radius:${sizes.radius}px;${colourVariables('light')}}`,
  ...(['zh-TW', 'ja', 'ko'] as const).map((language) => {
    const { sans, mono } = stacks(language)
    return `:root:lang(${language}){--wh-sans:${sans};--wh-mono:${mono}}`
  }),
]

/** The tokens as CSS variables (`--wh-text`), for the sign-in page, which does not use MUI. */
export const tokenStyles = (): string =>
  [...rootStyles(), `:root[data-theme='dark']{${colourVariables('dark')}}`].join('\n')

/** The same for a page without scripts, in the scheme of the system. */
export const systemTokenStyles = (): string =>
  [...rootStyles(), `@media(prefers-color-scheme:dark){:root{${colourVariables('dark')}}}`].join('\n')
