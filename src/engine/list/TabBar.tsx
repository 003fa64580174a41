import { styled } from '@mui/material/styles'
import { type ReactNode, useEffect, useRef } from 'react'
import { LinkBase } from 'react-admin'

interface TabBarProps {
  label: string
  /** Changes when another tab is the current one, or when its place does: it is scrolled into view then. */
  current: string
  children: ReactNode
}

/**
 * Links between screens that belong together. On a phone the tabs are wider than the screen: the current one is scrolled
 * into view, as soon as the browser has laid it out and when its width changes. Test environments have no way to observe
 * that.
 */
export function TabBar({ label, current, children }: TabBarProps) {
  const bar = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be the current one
  useEffect(() => {
    const tab = bar.current?.querySelector('[aria-current]')
    if (!tab || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => {
      if (bar.current) scrollToMiddle(bar.current, tab)
    })
    observer.observe(tab)
    return () => observer.disconnect()
  }, [current])
  return (
    <Bar ref={bar} aria-label={label}>
      {children}
    </Bar>
  )
}

function scrollToMiddle(bar: HTMLElement, tab: Element): void {
  const [outer, inner] = [bar.getBoundingClientRect(), tab.getBoundingClientRect()]
  bar.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
}

const Bar = styled('nav')(({ theme }) => ({
  display: 'flex',
  gap: theme.spacing(0.5),
  marginBottom: theme.spacing(1.5),
  overflowX: 'auto',
  borderBottom: `1px solid ${theme.vars.palette.divider}`,
}))

/** A tab; the current one has `aria-current="page"`. */
export const TabLink = styled(LinkBase)(({ theme }) => ({
  ...theme.typography.body1,
  display: 'flex',
  alignItems: 'baseline',
  gap: theme.spacing(0.75),
  padding: theme.spacing(1, 1.5),
  fontWeight: 500,
  whiteSpace: 'nowrap',
  [theme.breakpoints.down('sm')]: { minHeight: 44, boxSizing: 'border-box', paddingBlock: theme.spacing(1.25) },
  textDecoration: 'none',
  color: theme.vars.palette.text.secondary,
  '&:hover': { color: theme.vars.palette.text.primary },
  '&:focus-visible': { outlineOffset: -2, borderRadius: 6 },
  "&[aria-current='page']": {
    color: theme.vars.palette.text.primary,
    boxShadow: `inset 0 -2px ${theme.vars.palette.primary.main}`,
  },
  '& small': { fontSize: 12, fontWeight: 400, fontVariantNumeric: 'tabular-nums' },
}))
