import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase, useRecordContext } from 'react-admin'
import { useAddresses, useScreen } from './screen.ts'

const Anchor = styled(LinkBase)(({ theme }) => ({
  color: theme.vars.palette.text.primary,
  fontWeight: 600,
  textDecoration: 'none',
  '&:hover': { textDecoration: 'underline' },
}))

/** A record's name, leading to its dialog: what the keyboard reaches in a row. */
export function NameLink({ children }: { children: ReactNode }) {
  const addresses = useAddresses()
  const { texts } = useScreen()
  const record = useRecordContext()
  if (!record) return null
  return (
    <Anchor to={addresses.edit(record.id)} title={texts.nameOf(record)}>
      {children}
    </Anchor>
  )
}
