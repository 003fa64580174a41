import { styled } from '@mui/material/styles'
import { useTranslate } from 'react-admin'
import { useServerRow } from './figures.ts'

/** The id, with the display index in brackets where somebody has set one. */
export function ServerId() {
  const record = useServerRow()
  const translate = useTranslate()
  if (!record) return null
  const { id, display_index: index } = record
  return (
    <Frame>
      {id}
      {index ? <span title={`${translate('resources.server.fields.display_index')}: ${index}`}> ({index})</span> : null}
    </Frame>
  )
}

const Frame = styled('span')(({ theme }) => ({
  whiteSpace: 'nowrap',
  '& > span': { color: theme.vars.palette.text.secondary },
}))
