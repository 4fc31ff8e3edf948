import type { Json } from '../../../json/value.ts'
import { isLater, type Moment, momentAfter, momentSaid, type SaidMoment, saidMoment } from './clock.ts'

/** One value: of all that were written, the one with the latest clock. */
export interface Register {
  readonly kind: 'lww-register'
  readonly value: Json
  readonly clock: Moment
}

export interface RegisterSet {
  value: Json
  clock: SaidMoment
}

/** The fact that an actor who sees this register, and this time on the wall, writes a value. */
export function writing(register: Register | undefined, actor: string, wall: number, value: Json): RegisterSet {
  return { value, clock: saidMoment(momentAfter(register?.clock, wall, actor)) }
}

export function setIn(register: Register | undefined, { value, clock: said }: RegisterSet): Register {
  const clock = momentSaid(said)
  if (register !== undefined && !isLater(clock, register.clock)) return register
  return { kind: 'lww-register', value, clock }
}
