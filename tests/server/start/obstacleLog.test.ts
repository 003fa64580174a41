import { expect, it } from 'vitest'
import { awayError, crowdedError } from '../../../server/db/storeError.ts'
import { obstacleLog } from '../../../server/start/obstacleLog.ts'

const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
const busy = Object.assign(new Error('database is locked'), { errcode: 5 })

it('the log has one line in ten minutes about a full disk, one about a database that is held, and every other error', () => {
  const lines: unknown[][] = []
  const clock = { now: 0 }
  const silent = () => {}
  const log = obstacleLog({ info: silent, warn: silent, error: (...line) => lines.push(line) }, () => clock.now)
  const other = new Error('something else')
  for (const second of [0, 1, 599, 600]) {
    clock.now = second * 1000
    log.error('Alarms could not be saved:', full)
    log.error('Results of tasks could not be saved:', full)
    log.error('Alarms could not be saved:', busy)
    log.error('Something went wrong:', other)
  }
  log.error('A sentence without a cause.')
  const wrong = ['Something went wrong:', other]
  const about = [
    ['Alarms could not be saved: the disk is full. Nothing can be saved until there is free space on it.'],
    [
      'Alarms could not be saved: another program holds the database. Nothing can be saved until it is done, or is ended.',
    ],
  ]
  expect(lines).toEqual([...about, wrong, wrong, wrong, ...about, wrong, ['A sentence without a cause.']])
})

it('the log does not say that a database cannot be reached that only takes less than is to be saved', () => {
  const lines: unknown[][] = []
  const silent = () => {}
  const log = obstacleLog({ info: silent, warn: silent, error: (...line) => lines.push(line) }, () => 0)
  for (let count = 0; count < 2; count++) log.error('Alarms could not be saved:', crowdedError())
  log.error('Alarms could not be saved:', awayError())
  expect(lines).toEqual([
    [
      'Alarms could not be saved: the database takes less than is to be saved. Some of it is refused until there is room.',
    ],
    ['Alarms could not be saved: the database cannot be reached. Nothing can be saved until it can.'],
  ])
})
