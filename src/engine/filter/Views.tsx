import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import OutlinedInput from '@mui/material/OutlinedInput'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useListFilterContext, useLocation, useNavigate, useStore, useTranslate } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'
import { writeListQuery } from '../list/state/listQuery.ts'

interface View {
  name: string
  /** The list's query: search, filters, sort and page size. */
  search: string
}

const none: View[] = []

const Section = styled('section')(({ theme }) => ({
  maxWidth: 320,
  padding: theme.spacing(1, 1, 1.5),
  '& h2': {
    margin: theme.spacing(0.5, 1),
    ...theme.typography.body2,
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
  },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& li, & form': { display: 'flex', alignItems: 'center', gap: theme.spacing(1) },
  '& li > button:first-of-type': { flex: 1, minWidth: 0, justifyContent: 'flex-start', fontWeight: 400 },
  '& li span': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& form': { padding: theme.spacing(0.5, 1, 0) },
}))

/** Saved views: addresses of the list under a name, stored in this browser. */
export function Views({ onClose }: { onClose: () => void }) {
  const addresses = useAddresses()
  const { entity } = useScreen()
  const { filterValues } = useListFilterContext()
  // The address follows what is typed a little later.
  const search = writeListQuery(useLocation().search, { filter: filterValues })
  const navigate = useNavigate()
  const translate = useTranslate()
  const [views, setViews] = useStore<View[]>(`views.${entity.name}`, none)
  const [name, setName] = useState('')
  const save = () => {
    const trimmed = name.trim()
    if (!trimmed) return
    setViews([...views.filter((view) => view.name !== trimmed), { name: trimmed, search }])
    setName('')
  }
  return (
    <Section aria-label={translate('app.list.views')}>
      <h2>{translate('app.list.views')}</h2>
      {views.length > 0 ? (
        <ul>
          {views.map((view) => (
            <li key={view.name}>
              <Button
                color="inherit"
                onClick={() => {
                  // Views from before release 0.1.0 name the page size as react-admin does.
                  navigate({ ...addresses.list, search: view.search.replace(/\bperPage=/, 'pageSize=') })
                  onClose()
                }}
              >
                <span>{view.name}</span>
              </Button>
              <IconButton
                size="small"
                aria-label={translate('app.action.delete_named', { name: view.name })}
                onClick={() => setViews(views.filter((other) => other !== view))}
              >
                <DeleteIcon fontSize="small" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <OutlinedInput
          size="small"
          value={name}
          placeholder={translate('app.list.view_name')}
          slotProps={{ input: { 'aria-label': translate('app.list.view_name') } }}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!name.trim()}>
          {translate('app.list.keep_view')}
        </Button>
      </form>
    </Section>
  )
}
