import './row.css'
import type { ComponentProps, ReactNode } from 'react'
import { LinkBase } from 'react-admin'

/**
 * Line icons for rows: a hundred rows of MUI icons would cost more than the rows. The button around one has its name.
 */
export function LineIcon({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      width="16"
      height="16"
      viewBox="0 0 16 16"
      // A style and not an attribute, because a button's CSS may fill its icons.
      style={{ fill: 'none' }}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {children}
    </svg>
  )
}

export const EditIcon = () => (
  <LineIcon>
    <path d="m2.5 13.5.6-3L10.6 3a1.7 1.7 0 0 1 2.4 2.4L5.5 12.9z" />
  </LineIcon>
)

export const MoreIcon = () => (
  <LineIcon>
    <path d="M8 3.5v.01M8 8v.01M8 12.5v.01" strokeWidth="2.5" />
  </LineIcon>
)

/** A small square button that shows an icon; its name is its `aria-label`. Lighter than MUI's, for tables. */
export const IconAction = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className="icon-action" />
)

/** The same as a link. */
export const IconLink = (props: ComponentProps<typeof LinkBase>) => <LinkBase {...props} className="icon-action" />
