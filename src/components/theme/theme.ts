import { createTheme, type PaletteOptions } from '@mui/material/styles'
import { components } from './themeComponents.ts'
import { colours, fontVariables, type Scheme, sizes } from './tokens.ts'

declare module '@mui/material/styles' {
  interface Palette {
    control: string
    sunken: string
    track: string
  }
  interface PaletteOptions {
    control: string
    sunken: string
    track: string
  }
  interface TypographyVariants {
    fontFamilyMono: string
  }
  interface TypographyVariantsOptions {
    fontFamilyMono: string
  }
  interface CssThemeVariables {
    enabled: true
  }
}

function palette(scheme: Scheme): PaletteOptions {
  const colour = colours[scheme]
  const plain = (main: string) => ({ main, contrastText: scheme === 'light' ? colour.surface : colour.background })
  return {
    mode: scheme,
    contrastThreshold: 4.5,
    primary: { main: colour.primary, dark: colour.primaryStrong, contrastText: colour.onPrimary },
    secondary: plain(colour.secondary),
    success: plain(colour.good),
    info: plain(colour.primary),
    warning: plain(colour.warning),
    error: plain(colour.danger),
    text: { primary: colour.text, secondary: colour.secondary },
    background: { default: colour.background, paper: colour.surface },
    divider: colour.border,
    action: { selected: colour.marked },
    control: colour.control,
    sunken: colour.sunken,
    track: colour.track,
  }
}

/**
 * The MUI theme. Both colour schemes are CSS variables: a switch from light to dark changes one attribute on `<html>`
 * (`data-theme`) and renders nothing. In styles, write colours as `theme.vars.palette.*`.
 */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data-theme' },
  colorSchemes: { light: { palette: palette('light') }, dark: { palette: palette('dark') } },
  breakpoints: { values: { xs: 0, sm: 600, md: sizes.narrow, lg: 1200, xl: 1536 } },
  shape: { borderRadius: sizes.radius },
  focusVisible: true,
  motion: { reducedMotion: 'system' },
  transitions: {
    duration: {
      shortest: 80,
      shorter: 100,
      short: 120,
      standard: 150,
      complex: 150,
      enteringScreen: 150,
      leavingScreen: 120,
    },
  },
  typography: {
    fontFamily: fontVariables.sans,
    fontFamilyMono: fontVariables.mono,
    fontSize: 14,
    h1: { fontSize: 20, fontWeight: 600, lineHeight: 1.4, letterSpacing: '-0.01em' },
    h2: { fontSize: 16, fontWeight: 600, lineHeight: 1.4 },
    h3: { fontSize: 14, fontWeight: 600, lineHeight: 1.4 },
    h6: { fontSize: 16, fontWeight: 600, lineHeight: 1.4 },
    body1: { fontSize: 14, lineHeight: 1.5 },
    body2: { fontSize: 13, lineHeight: 1.5 },
    caption: { fontSize: 12, lineHeight: 1.5 },
    button: { fontSize: 13, fontWeight: 600, textTransform: 'none', letterSpacing: 0 },
  },
  components,
})
