import type { Theme, ThemeOptions } from '@mui/material/styles'
import { floatingShadow, fontVariables, messagesHeight, sizes } from './tokens.ts'

/** Exactly the type of `createTheme`: comparing it with a similar one takes longer than all other types together. */
type Overrides = NonNullable<ThemeOptions['components']>

/** What floats above the page has an edge and a shadow, and nothing else has a shadow. */
const floating = ({ theme }: { theme: Theme }) => ({
  border: `1px solid ${theme.vars.palette.divider}`,
  boxShadow: floatingShadow,
})

const phone = '@media (max-width: 599.95px)'

/** Pixels: what a finger hits. */
const touch = 44

/** Styles of MUI's components: dense, flat, with borders. */
export const components: Overrides = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      // For the style sheets of cells, which use the theme's values as variables.
      ':root': { '--mono': fontVariables.mono },
      // What gets the focus is not scrolled below the header or the messages.
      html: { scrollPaddingTop: sizes.header, scrollPaddingBottom: messagesHeight.value },
      body: { fontVariantNumeric: 'tabular-nums' },
      // Links without a colour of their own; any class wins over it.
      ':where(a)': { color: theme.vars.palette.primary.main },
      'code, kbd, pre, samp': { fontFamily: fontVariables.mono, fontSize: '0.93em' },
      'a:focus-visible, [tabindex]:not([tabindex="-1"]):focus-visible, summary:focus-visible': {
        outline: `2px solid ${theme.vars.palette.primary.main}`,
        outlineOffset: 2,
      },
      '.visually-hidden': {
        position: 'absolute',
        width: 1,
        height: 1,
        overflow: 'hidden',
        clipPath: 'inset(50%)',
        whiteSpace: 'nowrap',
      },
      // MUI's inputs learn from the start of an animation that the browser has filled them in.
      '@keyframes mui-auto-fill': { from: { animationName: 'mui-auto-fill' } },
      '@keyframes mui-auto-fill-cancel': { from: { animationName: 'mui-auto-fill-cancel' } },
      // Where people choose their own colours, backgrounds go: what is told by one keeps it, or gets an outline.
      '@media (forced-colors: active)': {
        '.dot, .track, .track > span, .alarm-badge, [data-health]::before, [data-result]::before, [data-health] li': {
          forcedColorAdjust: 'none',
        },
        '.MuiSwitch-track, .MuiSwitch-thumb': { forcedColorAdjust: 'none' },
        "a[aria-current]:not([aria-current='false'])": { textDecoration: 'underline', textDecorationThickness: 2 },
        // Before the buttons of MUI, which have no outline.
        "body :is([aria-selected='true'], [data-selected='true'], [aria-pressed='true'], .Mui-selected)": {
          outline: '2px solid Highlight',
          outlineOffset: -2,
        },
        'body .MuiButton-contained': { border: '1px solid' },
      },
      '::selection': { background: `color-mix(in srgb, ${theme.vars.palette.primary.main} 25%, transparent)` },
    }),
  },
  MuiButtonBase: { defaultProps: { disableRipple: true } },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'small' },
    styleOverrides: {
      root: { minHeight: 32, paddingInline: 12, borderRadius: 6, whiteSpace: 'nowrap', [phone]: { minHeight: touch } },
      outlined: ({ theme }) => ({ borderColor: theme.vars.palette.control }),
    },
  },
  MuiIconButton: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: { borderRadius: 6, minWidth: 32, minHeight: 32, [phone]: { minWidth: touch, minHeight: touch } },
    },
  },
  MuiPaper: {
    defaultProps: { elevation: 0 },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiCard: { defaultProps: { variant: 'outlined' } },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        border: `1px solid ${theme.vars.palette.divider}`,
        boxShadow: floatingShadow,
        // Dialogs stay where they are: only those that would reach the messages become lower.
        maxHeight: `calc(100% - 64px - 2 * ${messagesHeight.value})`,
        '&.MuiDialog-paperFullScreen': {
          height: `calc(100% - ${messagesHeight.value})`,
          maxHeight: 'none',
          marginBottom: messagesHeight.value,
        },
      }),
    },
  },
  MuiDrawer: {
    styleOverrides: {
      paper: ({ theme }) => ({
        bottom: messagesHeight.value,
        height: 'auto',
        maxHeight: `calc(100% - ${messagesHeight.value})`,
        borderColor: theme.vars.palette.divider,
      }),
    },
  },
  MuiDialogTitle: { styleOverrides: { root: ({ theme }) => ({ ...theme.typography.h2, padding: '16px 24px' }) } },
  MuiAutocomplete: { styleOverrides: { paper: floating } },
  // Menus and the lists of selects are popovers too.
  MuiPopover: { styleOverrides: { paper: floating } },
  MuiMenu: {
    styleOverrides: {
      paper: { marginTop: 4 },
      list: { paddingBlock: 4 },
    },
  },
  MuiMenuItem: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body1,
        minHeight: 36,
        marginInline: 4,
        paddingInline: 10,
        borderRadius: 6,
        [phone]: { minHeight: touch },
      }),
    },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 400, arrow: false },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        fontSize: 12,
        fontWeight: 400,
        color: theme.vars.palette.background.default,
        backgroundColor: theme.vars.palette.text.primary,
      }),
    },
  },
  MuiTable: { defaultProps: { size: 'small' } },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        height: 44,
        padding: '4px 12px',
        fontSize: 13,
        lineHeight: 1.45,
        borderBottomColor: theme.vars.palette.divider,
      }),
      head: ({ theme }) => ({
        height: 36,
        fontSize: 12,
        fontWeight: 600,
        whiteSpace: 'nowrap',
        color: theme.vars.palette.text.secondary,
        backgroundColor: theme.vars.palette.sunken,
      }),
      paddingCheckbox: { width: 48, padding: '0 4px' },
    },
  },
  MuiTableRow: {
    styleOverrides: {
      root: ({ theme }) => ({
        '&:last-child > td': { borderBottom: 0 },
        '&.MuiTableRow-hover:hover': { backgroundColor: theme.vars.palette.sunken },
      }),
    },
  },
  MuiCheckbox: {
    defaultProps: { size: 'small' },
    styleOverrides: { root: ({ theme }) => ({ padding: 10, color: theme.vars.palette.control }) },
  },
  MuiTextField: { defaultProps: { size: 'small', variant: 'outlined', fullWidth: true } },
  MuiFormControl: { defaultProps: { size: 'small' } },
  // Once for the page (see MuiCssBaseline), not with each input: every new style sheet lets the browser look at all of it.
  MuiInputBase: {
    defaultProps: { disableInjectingGlobalStyles: true },
    styleOverrides: {
      input: {
        animationName: 'mui-auto-fill-cancel',
        animationDuration: '10ms',
        '&:-webkit-autofill': { animationName: 'mui-auto-fill', animationDuration: '5000s' },
      },
    },
  },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        backgroundColor: theme.vars.palette.background.paper,
        fontSize: 14,
        // Browsers on phones zoom into a focused field with text below 16 px.
        [phone]: { fontSize: 16, minHeight: touch },
      }),
      notchedOutline: ({ theme }) => ({ borderColor: theme.vars.palette.control }),
    },
  },
  MuiSwitch: {
    styleOverrides: {
      // MUI's small switch without the space around it: its edge is where the labels of a form begin. The input covers
      // exactly what is drawn.
      sizeSmall: {
        width: 32,
        padding: '5px 0',
        '& .MuiSwitch-switchBase': { padding: '4px 0' },
        '& .MuiSwitch-switchBase .MuiSwitch-input': { left: 0, width: '200%' },
        '& .MuiSwitch-switchBase.Mui-checked .MuiSwitch-input': { left: '-100%' },
      },
      track: ({ theme }) => ({ backgroundColor: theme.vars.palette.control, opacity: 1 }),
    },
  },
  // A switch begins where the labels around it do.
  MuiFormControlLabel: {
    styleOverrides: { root: { '&:has(> .MuiSwitch-root)': { marginLeft: 0, gap: 8 }, [phone]: { minHeight: touch } } },
  },
  MuiToggleButton: { styleOverrides: { root: { [phone]: { minHeight: touch } } } },
  MuiTabs: { styleOverrides: { root: { minHeight: 40 }, indicator: { height: 2 } } },
  MuiTab: {
    styleOverrides: {
      root: { minHeight: 40, minWidth: 0, padding: '8px 12px', fontSize: 14, [phone]: { minHeight: touch } },
    },
  },
  MuiChip: { defaultProps: { size: 'small' }, styleOverrides: { root: { borderRadius: 6 } } },
  MuiLink: { defaultProps: { underline: 'hover' } },
}
