CREATE TABLE "leases" (
	"tenant" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"token" bigint NOT NULL,
	"held_until" timestamp with time zone,
	CONSTRAINT "leases_tenant_key_pk" PRIMARY KEY("tenant","key")
);
