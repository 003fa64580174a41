import { styled } from '@mui/material/styles'

/** Styles of the code editor: a field of the console around CodeMirror's elements. */
export const CodeEditorFrame = styled('div')(({ theme }) => {
  const { palette } = theme.vars
  return {
    minWidth: 0,
    overflow: 'hidden',
    border: `1px solid ${palette.control}`,
    borderRadius: theme.shape.borderRadius,
    background: palette.background.paper,
    '&:focus-within': { borderColor: palette.primary.main, outline: `1px solid ${palette.primary.main}` },
    '& .cm-editor': { height: '100%', color: palette.text.primary, outline: 'none' },
    '&[data-height=free] .cm-editor': { maxHeight: '60vh', minHeight: 120 },
    '& .cm-scroller': { fontFamily: theme.typography.fontFamilyMono, fontSize: 13, lineHeight: 1.5 },
    // Browsers on phones zoom into fields with smaller text.
    [theme.breakpoints.down('sm')]: { '& .cm-scroller': { fontSize: 16 } },
    // No background: gutters end where a short text ends.
    '& .cm-gutters': { background: 'transparent', color: palette.text.secondary, border: 0 },
    '& .cm-activeLine, & .cm-activeLineGutter': { background: 'transparent' },
    '& .cm-focused .cm-activeLine': { background: `color-mix(in srgb, ${palette.sunken} 60%, transparent)` },
    '& .cm-cursor': { borderLeftColor: palette.text.primary },
    '& .cm-selectionBackground, & .cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
      background: `color-mix(in srgb, ${palette.primary.main} 25%, transparent)`,
    },
    '& .cm-matchingBracket': { background: palette.action.selected, outline: `1px solid ${palette.control}` },
    '& .cm-searchMatch, & .cm-selectionMatch': {
      background: `color-mix(in srgb, ${palette.warning.main} 30%, transparent)`,
    },
    '& .cm-searchMatch-selected': { outline: `1px solid ${palette.warning.main}` },
    '& .cm-specialChar': { color: palette.error.main },
    '& .cm-panels': { background: palette.sunken, color: palette.text.primary, borderColor: palette.divider },
    '& .cm-panel.cm-search': { fontFamily: theme.typography.fontFamily, fontSize: 13, padding: 8 },
    '& .cm-textfield, & .cm-button': {
      border: `1px solid ${palette.control}`,
      borderRadius: 6,
      background: palette.background.paper,
      color: 'inherit',
      font: 'inherit',
      minHeight: 28,
    },
    '& .cm-button:active': { background: palette.sunken },
    '& .cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: 20, width: 28, height: 28 },
    '& .tok-comment, & .tok-meta': { color: palette.text.secondary },
    '& .tok-comment': { fontStyle: 'italic' },
    '& .tok-keyword, & .tok-typeName, & .tok-propertyName, & .tok-labelName': { color: palette.primary.main },
    '& .tok-string, & .tok-string2, & .tok-url': { color: palette.success.main },
    '& .tok-number, & .tok-bool, & .tok-atom, & .tok-literal, & .tok-variableName2': { color: palette.warning.main },
    '& .tok-invalid': { color: palette.error.main },
    '& .tok-heading, & .tok-strong': { fontWeight: 600 },
    '& .tok-emphasis': { fontStyle: 'italic' },
  }
})
