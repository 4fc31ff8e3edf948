import { type Members, type ObjectSchema, object, type Schema, type Shape } from '../log/input-schema.ts'

/**
 * An object of which mostly one text matters: that may be given alone. `read` makes the object of it, so that a command line can say
 * more in one word.
 */
export function textOr<const M extends Members>(
  whole: ObjectSchema<Shape<M>>,
  read: (text: string) => unknown,
): Schema<Shape<M>> {
  return {
    kind: 'text',
    json: { anyOf: [{ type: 'string' }, whole.json], description: whole.about },
    about: whole.about,
    check: (value, path, limits) => whole.check(typeof value === 'string' ? read(value) : value, path, limits),
  }
}

/** Members of an object, said as one thing. */
export function said<const M extends Members>(about: string, members: M): ObjectSchema<Shape<M>> {
  return object(members, about)
}

/** `NAME: MORE` in two parts; what has no colon is a name. */
export function twoParts(text: string): readonly [string, string | undefined] {
  const at = text.indexOf(': ')
  return at <= 0 ? [text, undefined] : [text.slice(0, at).trim(), text.slice(at + 2).trim() || undefined]
}
