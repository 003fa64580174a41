import type { ReactNode } from 'react'
import { LinkBase, useRecordContext } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'
import '../parts/row.css'

/** A record's name, leading to its dialog: what the keyboard reaches in a row. */
export function NameLink({ children }: { children: ReactNode }) {
  const addresses = useAddresses()
  const { texts } = useScreen()
  const record = useRecordContext()
  if (!record) return null
  return (
    <LinkBase className="name-link" to={addresses.edit(record.id)} title={texts.nameOf(record)}>
      {children}
    </LinkBase>
  )
}
