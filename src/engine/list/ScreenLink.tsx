import type { ComponentProps, MouseEvent } from 'react'
import { LinkBase, useLocation } from 'react-admin'
import { createPath, useNavigate } from 'react-router'

interface ScreenLinkProps extends Omit<ComponentProps<typeof LinkBase>, 'to'> {
  /** The whole path of a list. */
  to: string
}

/** A link to a list: its code is there, so that it is drawn at once. */
export function ScreenLink({ to, onClick, ...props }: ScreenLinkProps) {
  const navigate = useNavigate()
  const location = useLocation()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey)
    if (event.defaultPrevented || !isPlain) return
    event.preventDefault()
    // As browsers do: the address that is there already is no step of the back button.
    navigate(to, { replace: createPath(location) === to, flushSync: true })
  }
  return <LinkBase {...props} to={to} onClick={follow} />
}
