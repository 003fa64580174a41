/** The colours of one scheme. Every other colour of the console is one of these, or one of these thinned. */
export interface Colours {
  /** The page. */
  background: string
  /** Cards, tables, menus and dialogs. */
  surface: string
  /** Heads of tables, fields of code, the ground of a row under the pointer. */
  sunken: string
  /** The ground of what is selected. */
  marked: string
  /** Lines that divide; too faint to be the only edge of a control. */
  border: string
  /** Edges of fields, switches and other controls: 3:1 on every ground. */
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

/** Names of the two schemes as they stand in `<html data-theme>`. */
export type Scheme = 'light' | 'dark'

/** The palette. Nothing else in the console names a colour; `tests/unit/custom/contrast.test.ts` measures the pairs. */
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

const cjk =
  '"PingFang SC", "PingFang TC", "Microsoft YaHei", "Microsoft JhengHei", "Noto Sans CJK SC", "Noto Sans CJK TC"'

/** The system's own faces, with fall-backs for Chinese; no font is ever fetched. */
export const fonts = {
  sans: `system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", ${cjk}, sans-serif`,
  mono: `ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", ${cjk}, monospace`,
}

/** Sizes in pixels that more than one place must agree on. */
export const sizes = {
  /** Below this width of the window the navigation is a drawer. */
  narrow: 890,
  header: 56,
  radius: 8,
}

/** Menus, dialogs and toasts float, so they alone cast a shadow; all else is told apart by its border. */
export const floatingShadow = '0 8px 24px rgb(2 6 16 / 0.18)'

/** The tokens as style sheet variables (`--wh-text`), for the sign-in form, which stands without MUI. */
export function tokenStyles(): string {
  const lines = (scheme: Scheme) =>
    Object.entries(colours[scheme]).map(
      ([name, value]) => `--wh-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value};`,
    )
  return [
    `:root{--wh-sans:${fonts.sans};--wh-radius:${sizes.radius}px;${lines('light').join('')}}`,
    `:root[data-theme='dark']{${lines('dark').join('')}}`,
  ].join('\n')
}
