import { styled } from '@mui/material/styles'
import { useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { messagesHeight } from '../theme/tokens.ts'
import { StatusBar } from './StatusBar.tsx'
import { Toasts } from './Toasts.tsx'

/**
 * What the console has to say, at the lower edge of the window: what concerns every screen at the left, toasts at the
 * right. The window ends above it, for pages, dialogs and drawers: they use its height, `messagesHeight`. So it never
 * lies over a button, and nothing moves when a message comes or goes, except what is at the lower edge itself.
 */
export function Messages() {
  const bar = useRef<HTMLDivElement>(null)
  // An open dialog hides the rest of the page from screen readers; messages are read out all the same.
  useLayoutEffect(() => {
    const element = bar.current
    if (!element) return
    const observer = new MutationObserver(() => element.removeAttribute('aria-hidden'))
    observer.observe(element, { attributeFilter: ['aria-hidden'] })
    element.removeAttribute('aria-hidden')
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const element = bar.current
    const { style } = document.documentElement
    // jsdom has no layout.
    if (!element || !globalThis.ResizeObserver) return
    const observer = new ResizeObserver(() => style.setProperty(messagesHeight.name, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty(messagesHeight.name)
    }
  }, [])
  return createPortal(
    <Bar ref={bar}>
      <StatusBar />
      <Toasts />
    </Bar>,
    document.body,
  )
}

const Bar = styled('div')(({ theme }) => ({
  position: 'fixed',
  insetInline: 0,
  bottom: 0,
  zIndex: theme.zIndex.snackbar,
  display: 'flex',
  flexWrap: 'wrap',
  justifyContent: 'space-between',
  columnGap: 16,
  maxHeight: '40dvh',
  overflowY: 'auto',
  paddingInline: 24,
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.background.default,
  [theme.breakpoints.down('sm')]: { paddingInline: 12 },
  '& > :not(:empty)': { marginTop: 8 },
  '&:has([data-message]:not([hidden]))': {
    paddingBottom: 8,
    borderTop: `1px solid ${theme.vars.palette.divider}`,
  },
}))
