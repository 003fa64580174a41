import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import ListSubheader from '@mui/material/ListSubheader'
import MenuItem from '@mui/material/MenuItem'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useState } from 'react'
import { useLocation, useNavigate, useStore, useTranslate } from 'react-admin'
import { useAddresses, useScreen } from './screen.ts'

interface View {
  name: string
  /** The list's query: search, filters, sort and page size. */
  search: string
}

const none: View[] = []

/** Views that somebody has named: a list's address, kept in this browser. */
export function ViewItems({ onClose }: { onClose: () => void }) {
  const addresses = useAddresses()
  const { entity } = useScreen()
  const { search } = useLocation()
  const navigate = useNavigate()
  const translate = useTranslate()
  const [views, setViews] = useStore<View[]>(`views.${entity.name}`, none)
  const [name, setName] = useState('')
  const keep = () => {
    const trimmed = name.trim()
    if (!trimmed) return
    setViews([...views.filter((view) => view.name !== trimmed), { name: trimmed, search }])
    setName('')
  }
  return (
    <>
      <ListSubheader>{translate('app.list.views')}</ListSubheader>
      {views.map((view) => (
        <MenuItem
          key={view.name}
          onClick={() => {
            navigate({ ...addresses.list, search: view.search })
            onClose()
          }}
        >
          <span style={{ flex: 1, overflow: 'hidden', textOverflow: 'ellipsis' }}>{view.name}</span>
          <IconButton
            size="small"
            aria-label={translate('app.action.delete_named', { name: view.name })}
            onClick={(event) => {
              event.stopPropagation()
              setViews(views.filter((other) => other !== view))
            }}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </MenuItem>
      ))}
      <li style={{ display: 'flex', gap: 8, padding: '4px 14px' }}>
        <OutlinedInput
          size="small"
          value={name}
          placeholder={translate('app.list.view_name')}
          slotProps={{ input: { 'aria-label': translate('app.list.view_name') } }}
          onChange={(event) => setName(event.target.value)}
          // A menu moves by typed letters; here they are a name.
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Enter') keep()
            if (event.key === 'Escape') onClose()
          }}
        />
        <Button onClick={keep} disabled={!name.trim()}>
          {translate('app.list.keep_view')}
        </Button>
      </li>
    </>
  )
}
