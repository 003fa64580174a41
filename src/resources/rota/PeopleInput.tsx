import UpIcon from '@mui/icons-material/ArrowUpward'
import RemoveIcon from '@mui/icons-material/DeleteOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { Suspense, useEffect } from 'react'
import { useTranslate } from 'react-admin'
import { FieldFrame, useField } from '../../engine/kinds/parts/FieldFrame.tsx'
import type { InputProps } from '../../engine/kinds/parts/kind.ts'
import { useIdentity } from '../../engine/parts/identity.tsx'
import { allows } from '../../schemas/define/access.ts'
import { user } from '../../schemas/user.ts'
import { PersonPicker, usePersonName } from './RotaPeople.tsx'

/** The people of a rota in their turn. Members can choose nobody but themselves. */
export default function PeopleInput({ field: description, label, help }: InputProps) {
  const translate = useTranslate()
  const { id, field, error } = useField<number[] | null>(description)
  const { identity } = useIdentity()
  const mayChoose = allows(identity?.role, user.access.list)
  const people = field.value ?? []
  const nameOf = usePersonName(people)
  const own = mayChoose ? undefined : Number(identity?.id) || undefined
  const isEmpty = people.length === 0
  const { onChange } = field
  useEffect(() => {
    if (own !== undefined && isEmpty) onChange([own])
  }, [own, isEmpty, onChange])
  const text = (key: string, person: number) => translate(`resources.rota.values.${key}`, { name: nameOf(person) })
  return (
    <FieldFrame
      id={id}
      label={label}
      help={mayChoose ? help : translate('resources.rota.values.only_you')}
      required
      error={error}
    >
      <List>
        {people.map((person, index) => (
          // Somebody may have two turns.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <li key={`${person} ${index}`}>
            <span>{nameOf(person)}</span>
            {mayChoose ? (
              <>
                <IconButton
                  size="small"
                  disabled={index === 0}
                  aria-label={text('up', person)}
                  onClick={() => onChange(people.toSpliced(index, 1).toSpliced(index - 1, 0, person))}
                >
                  <UpIcon fontSize="small" />
                </IconButton>
                <IconButton
                  size="small"
                  aria-label={text('remove', person)}
                  onClick={() => onChange(people.toSpliced(index, 1))}
                >
                  <RemoveIcon fontSize="small" />
                </IconButton>
              </>
            ) : null}
          </li>
        ))}
      </List>
      {mayChoose ? (
        <Suspense>
          <PersonPicker
            // Empty again after each choice.
            key={people.length}
            label={translate('resources.rota.values.add')}
            chosen={undefined}
            onChoose={(person) => person && onChange([...people, person])}
          />
        </Suspense>
      ) : null}
    </FieldFrame>
  )
}

const List = styled('ol')(({ theme }) => ({
  margin: theme.spacing(0, 0, 1),
  paddingLeft: theme.spacing(3),
  fontSize: 14,
  '& li > span': { display: 'inline-block', minWidth: 160, maxWidth: 'calc(100% - 80px)', overflowWrap: 'anywhere' },
}))
