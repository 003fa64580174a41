import { describe, expect, it } from 'vitest'
import { createSchedule } from '../../../server/tasks/schedule.ts'

const midnight = Date.parse('2026-11-21T00:00:00Z')
const seconds = (count: number) => midnight + count * 1000

function scheduleOf(...expressions: string[]) {
  const schedule = createSchedule('UTC')
  const tasks = expressions.map((scheduler, index) => ({ id: index + 1, scheduler }))
  schedule.setTasks(tasks, midnight)
  return { schedule, tasks }
}

describe('the schedule', () => {
  it('returns a due task once', () => {
    const { schedule } = scheduleOf('*/5 * * * * *', '0 * * * * *')
    expect(schedule.due(seconds(4.9))).toEqual([])
    expect(schedule.due(seconds(5))).toEqual([1])
    expect(schedule.due(seconds(5.9))).toEqual([])
    expect(schedule.due(seconds(60))).toEqual([1, 2])
  })

  it('does not drift when it is called late', () => {
    const { schedule } = scheduleOf('@every 10s')
    expect(schedule.due(seconds(10.9))).toEqual([1])
    expect(schedule.due(seconds(19.9))).toEqual([])
    expect(schedule.due(seconds(20))).toEqual([1])
  })

  it('returns a task once after several missed runs', () => {
    const { schedule } = scheduleOf('*/5 * * * * *', '@every 7s')
    expect(schedule.due(seconds(3603))).toEqual([1, 2])
    expect(schedule.due(seconds(3604))).toEqual([])
    expect(schedule.due(seconds(3605))).toEqual([1, 2])
  })

  it('keeps the time of a task with the same expression, and computes it anew with another', () => {
    const { schedule, tasks } = scheduleOf('@every 10s', '@every 10s')
    schedule.setTasks([...tasks.slice(0, 1), { id: 2, scheduler: '@every 8s' }], seconds(5))
    expect(schedule.due(seconds(10))).toEqual([1])
    expect(schedule.due(seconds(13))).toEqual([2])
  })

  it('drops a deleted task, and ignores an invalid expression', () => {
    const { schedule } = scheduleOf('* * * * * *', '* * * * * *')
    schedule.setTasks([{ id: 2, scheduler: 'nonsense' }], midnight)
    expect(schedule.due(seconds(5))).toEqual([])
  })

  it('computes all times anew when the clock is set back by hours', () => {
    const { schedule } = scheduleOf('0 0 * * * *')
    expect(schedule.due(midnight + 86_400_000)).toEqual([1])
    expect(schedule.due(seconds(60))).toEqual([])
    expect(schedule.due(seconds(3600))).toEqual([1])
  })

  it('runs at intervals after the clock was set back by less, and at no time of a clock twice', () => {
    const { schedule } = scheduleOf('@every 10s', '0 * * * * *')
    expect(schedule.due(seconds(3000))).toEqual([1, 2])
    expect(schedule.due(seconds(1000))).toEqual([])
    expect(schedule.due(seconds(1010))).toEqual([1])
    expect(schedule.due(seconds(3059))).toEqual([1])
    expect(schedule.due(seconds(3060))).toEqual([1, 2])
  })
})
