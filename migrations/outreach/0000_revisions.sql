-- What a caller has read of an object, as its entity tag. One sequence for all objects: no two ever share a value, and
-- what is changed back has another one than before.

create sequence revision;

-- `before update`, under a condition that names what people and programs change: what the service counts by itself
-- leaves the revision as it is.
create function take_revision() returns trigger language plpgsql set search_path = outreach as $$
begin
  new.revision := nextval('revision');
  return new;
end $$;
