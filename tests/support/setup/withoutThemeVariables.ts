import { createElement } from 'react'
import { vi } from 'vitest'

// The theme's colours are a style sheet of hundreds of variables for each scheme. Every page that is rendered adds it,
// jsdom parses it and drops what it knows of the styles of all elements, and nothing here is drawn in a colour.
vi.mock('@mui/material/styles', async (importOriginal) => {
  const styles = await importOriginal<typeof import('@mui/material/styles')>()
  const ThemeProvider: typeof styles.ThemeProvider = (props) =>
    createElement(styles.ThemeProvider, { ...props, disableStyleSheetGeneration: true })
  return { ...styles, ThemeProvider }
})
