// What stands beside nodes, where statements are made from statements.

import { NO_META, type Meta } from "@tilefoundry/ir";

export const spanOnly = ({ span }: Meta): Meta => (span === undefined ? NO_META : { span });

export function withoutComments(meta: Meta): Meta {
  if (meta.comments === undefined) return meta;
  const { comments: _, ...rest } = meta;
  return rest;
}
