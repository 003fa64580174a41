import type { ComponentProps } from 'react'
import { LinkBase } from 'react-admin'
import './row.css'

/** A small square button that shows an icon; its name is its `aria-label`. Lighter than MUI's, for tables. */
export const IconAction = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className="icon-action" />
)

/** The same as a link. */
export const IconLink = (props: ComponentProps<typeof LinkBase>) => <LinkBase {...props} className="icon-action" />
