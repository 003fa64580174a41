import type { MouseEvent } from 'react'
import { type RaRecord, useEvent, useNavigate } from 'react-admin'
import { useAddresses, useScreen } from '../../define/screen.ts'

export type OpenRow = (event: MouseEvent, record: RaRecord) => void

const clickable = 'a, button, input, label, [role=button]'

/**
 * Opens a record by a click on its row, where there is something to open; links, buttons and text selections keep their
 * click.
 */
export function useRowOpener(): OpenRow | undefined {
  const navigate = useNavigate()
  const { canOpen, opens } = useScreen()
  const addresses = useAddresses()
  const open = useEvent((event: MouseEvent, record: RaRecord) => {
    if ((event.target as Element).closest(clickable) || window.getSelection()?.toString()) return
    if (opens(record)) navigate(addresses.open(record.id))
  })
  return canOpen ? open : undefined
}
