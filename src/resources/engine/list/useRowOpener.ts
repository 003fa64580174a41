import type { MouseEvent } from 'react'
import { type Identifier, useEvent, useNavigate } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'

export type OpenRow = (event: MouseEvent, id: Identifier) => void

const clickable = 'a, button, input, label, [role=button]'

/**
 * Opens a record by a click on its row, where it can be edited; links, buttons and text selections keep their click.
 */
export function useRowOpener(): OpenRow | undefined {
  const navigate = useNavigate()
  const { allowed } = useScreen()
  const addresses = useAddresses()
  const open = useEvent((event: MouseEvent, id: Identifier) => {
    if ((event.target as Element).closest(clickable) || window.getSelection()?.toString()) return
    navigate(addresses.edit(id))
  }) as OpenRow
  return allowed('update') ? open : undefined
}
